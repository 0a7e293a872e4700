"""Results made readable: tables, figures and reports."""
