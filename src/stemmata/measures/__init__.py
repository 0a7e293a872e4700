"""How well a system answers, measured: formulas of the papers over fast arrays."""
