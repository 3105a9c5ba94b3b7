"""Programs as JSON (docs/json.md): `to_json` writes them, `from_json` reads them, `data` has types and plain data."""

from cpsconv.json.data import Json, data_as_json, integer_as_json, type_as_json
from cpsconv.json.reader import from_json
from cpsconv.json.writer import to_json

__all__ = ["Json", "data_as_json", "from_json", "integer_as_json", "to_json", "type_as_json"]
