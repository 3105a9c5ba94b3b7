"""The JSON format (docs/json.md): `to_json` writes programs, `from_json` reads them; types and values as JSON."""

from cpsconv.core.json.reader import from_json
from cpsconv.core.json.writer import Json, data_as_json, integer_as_json, to_json, type_as_json

__all__ = ["Json", "data_as_json", "from_json", "integer_as_json", "to_json", "type_as_json"]
