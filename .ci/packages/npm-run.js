#!/usr/bin/env node
// Runs the program of the package for this platform, and ends as it does.
"use strict";
const { spawn } = require("node:child_process");
const { constants } = require("node:os");

const platform = `libros-conformance-${process.platform}-${process.arch}`;
let program;
try {
  program = require.resolve(`${platform}/libros-conformance`);
} catch {
  console.error(`libros-conformance: the package ${platform} is not installed.
There are packages for linux-x64 and linux-arm64. On one of these, install without --omit=optional, or from files both:
npm install ./${platform}-*.tgz ./libros-conformance-*.tgz
Elsewhere, such as on macOS and Windows, use Linux in a container, or build the program: cargo install --git URL libros-conformance`);
  process.exit(70);
}
const child = spawn(program, process.argv.slice(2), { stdio: "inherit" });
// A terminal sends Ctrl-C to both; what is sent to this process alone is handed on.
process.on("SIGINT", () => {});
for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("error", error => { console.error(`libros-conformance: cannot start ${program}: ${error.message}`); process.exit(70); });
child.on("exit", (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
