"""The edge: settings, the command ``switchman``, what people see."""
