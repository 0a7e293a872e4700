"""What installs things on a machine: it shows what it runs, and can be kept from it."""

import os
import subprocess
from pathlib import Path

import pytest

INSTALL = Path(__file__).parents[1] / "scripts" / "apt-install"


@pytest.fixture
def install(tmp_path):
    """Run the script on a machine of made-up programs; return status, output, errors and what was run."""
    log = tmp_path / "log"

    def call(user="0", sudo=True, **environment):
        log.write_text("")
        made = {"apt-get": "", "dpkg-query": "exit 1", "id": f"echo {user}"}
        if sudo:
            made["sudo"] = 'shift; [ "$1" = true ] && exit 1; "$@"'
        for name, does in made.items():
            program = tmp_path / name
            noted = f'echo "{name} $*" >> {log}\n' if name in ("apt-get", "sudo") else ""
            program.write_text(f"#!/bin/sh\n{noted}{does}\n")
            program.chmod(0o755)
        done = subprocess.run(
            ["/bin/sh", INSTALL, "wordnet-base"],
            capture_output=True,
            text=True,
            check=False,
            env={"PATH": f"{tmp_path}{os.pathsep}/usr/bin:/bin", **environment},
        )
        return done.returncode, done.stdout, done.stderr, log.read_text()

    return call


def test_what_will_be_run_is_shown(install):
    status, missing, said, run = install()
    assert (status, missing) == (1, "wordnet-base\n")
    assert said == "Running: apt-get install wordnet-base (not with STEMMATA_APT=no)\n"
    assert "apt-get install -y" in run


def test_sudo_is_shown_before_it_is_tried_and_where_it_asks_for_a_password_nothing_is_run(install):
    status, _, said, run = install(user="1000")
    assert (status, run) == (1, "sudo -n true\n")
    assert said.startswith("Running: sudo -n apt-get install wordnet-base")


def test_nothing_is_run_where_a_user_says_so(install):
    for user in ("0", "1000"):
        assert install(user, STEMMATA_APT="no") == (1, "wordnet-base\n", "", "")
