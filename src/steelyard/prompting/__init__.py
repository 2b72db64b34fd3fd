"""How a sample becomes what is sent to a model: templates and multiple choice."""
