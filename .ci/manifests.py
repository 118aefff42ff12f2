"""Manifests by the schemas of Kubernetes; workflows of Argo by its model, which drops what it does not know, so they have to come back whole."""

import sys

import yaml
from hera.workflows import Workflow
from kubernetes_validate import SchemaNotFoundError, ValidationError, validate

# The oldest release that they are for, and the newest that is known.
RELEASES = ["1.33", "1.37"]


def faults(manifest):
    if manifest["apiVersion"].startswith("argoproj.io/"):
        yield from differences(manifest, Workflow.from_dict(manifest).to_dict())
        return
    for release in RELEASES:
        try:
            validate(manifest, release, strict=True)
        except ValidationError as error:
            yield f"{release}: {'.'.join(map(str, error.path))}: {error.message}"
        except SchemaNotFoundError as error:
            yield error.message


def differences(given, read, path=""):
    if isinstance(given, dict) and isinstance(read, dict):
        for key in given.keys() | read.keys():
            yield from differences(given.get(key), read.get(key), f"{path}.{key}")
    elif isinstance(given, list) and isinstance(read, list) and len(given) == len(read):
        for index, pair in enumerate(zip(given, read)):
            yield from differences(*pair, f"{path}[{index}]")
    elif given != read:
        yield f"{path}: {given!r} is read as {read!r}"


found = []
for name in sys.argv[1:]:
    with open(name) as file:
        for manifest in yaml.safe_load_all(file):
            found += [f"{name}: {manifest['kind']}: {fault}" for fault in faults(manifest)]
print("\n".join(found) or "ok")
sys.exit(1 if found else 0)
