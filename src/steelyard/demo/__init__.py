"""Demo data: 150 questions and two sets of answers to them, to try steelyard on.

The data are synthetic. They were written for steelyard and copy nothing from any data set; the
answers imitate the habits of language models, right and wrong, and no model produced them. A
figure computed from them says something about the scorer, and nothing about a model.

`questions.jsonl` holds the questions; `step_by_step.jsonl` and `at_once.jsonl` hold the answers.
The fields are described in `README.md` beside them. Licence: Apache-2.0, like the package.
"""
