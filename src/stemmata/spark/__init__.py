"""The same pipelines on a Spark cluster, and batches over collections that outgrow a machine."""
