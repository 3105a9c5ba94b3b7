"""The JSON format (docs/json.md): `to_json` writes programs, `from_json` reads them, `Parts` those parts that are used.

Types and values are written as JSON, too.
"""

from cpsconv.core.json.reader import Parts, from_json
from cpsconv.core.json.writer import Json, data_as_json, to_json, type_as_json

__all__ = ["Json", "Parts", "data_as_json", "from_json", "to_json", "type_as_json"]
