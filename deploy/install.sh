#!/bin/sh
# Install Droptable into a folder of its own: sh deploy/install.sh /opt/droptable WHEEL[EXTRAS]
# The folder becomes a virtual environment; everything has the versions that are tested.
set -eu
folder=$1
shift
here=$(cd "$(dirname "$0")" && pwd)
"${PYTHON:-python3}" -m venv "$folder"
"$folder/bin/python" -m pip install --quiet --disable-pip-version-check \
    --constraint "$here/../constraints.txt" "$@"
"$folder/bin/droptable" --version
