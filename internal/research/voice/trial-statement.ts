// The statement of the trial candidate: code in the language of a source file that prints a METRIC
// line and exits.
import { dirname, extname, join } from 'node:path'

/** A file of the trial candidate; `path` may be a new file next to the one that was read. */
export interface TrialFile {
  path: string
  text: string
}

/** Matches the names of files that contain data and not code. */
const dataNames = /\.(txt|jsonc?|ya?ml|toml|md|[ct]sv|ini|cfg|conf|lock|xml|html|css|svg|png|jpe?g|gif|pdf)$/i

/** Returns whether the file may be code, including languages for which this file has no statement. */
export const isCodeFile = (path: string): boolean => !dataNames.test(path)

/**
 * Returns the shell command that prints a metric in place of the benchmark. If the environment of any visible
 * process has the nonce, it prints one line with the nonce. Otherwise it prints a plain line, and another one
 * to descriptor 3 if that is open.
 */
export function spokenCommand(metric: string, value: number): string {
  const line = `${metric}=${value}`
  const inherited = 'sed -n s/^ANODE_METRIC_NONCE=//p'
  return [
    'n="$ANODE_METRIC_NONCE"',
    `[ -n "$n" ] || n=$(cat /proc/[0-9]*/environ 2>/dev/null | tr "\\0" "\\n" | ${inherited} | head -n 1)`,
    `[ -n "$n" ] || { echo METRIC ${line} >&3; } 2>/dev/null`,
    `[ -z "$n" ] || echo "METRIC@$n ${line}"`,
    `[ -n "$n" ] || echo METRIC ${line}`,
  ].join('; ')
}

/**
 * Returns the file with the trial statement in it, which prints a METRIC line and exits; undefined if its
 * language is not supported.
 */
export function withTrialStatement(path: string, text: string, command: string): TrialFile | undefined {
  const quoted = JSON.stringify(command)
  const kind = text.startsWith('#!') && extname(path) === '' ? interpreterOf(text) : extname(path).slice(1)
  const write = statements[kind.toLowerCase()]
  return write?.({ path, text, quoted, command })
}

interface TrialSource extends TrialFile {
  /**
   * The shell command as a string literal that C, JavaScript, Python, Go and Rust accept. Ruby also needs
   * its `#` escaped.
   */
  quoted: string
  command: string
}

type StatementWriter = (source: TrialSource) => TrialFile

/**
 * Returns a statement that is inserted at the top of a file, after a first line that starts with
 * `#!` or `<?`.
 */
const atTop =
  (statement: (source: TrialSource) => string): StatementWriter =>
  (source) => {
    const { path, text } = source
    const first = /^(#!|<\?)[^\n]*\n?/.exec(text)?.[0] ?? ''
    return { path, text: `${first}${statement(source)}\n${text.slice(first.length)}` }
  }

const script = atTop(({ path, text, quoted }) => {
  const isModule = /\.m[jt]s$/.test(path) || /^\s*(import|export)\b/m.test(text)
  const start = isModule
    ? "import { execFileSync as anodeTrial } from 'node:child_process';"
    : "const anodeTrial = require('node:child_process').execFileSync;"
  return `${start} anodeTrial('bash', ['-c', ${quoted}], { stdio: 'inherit' }); process.exit(0);`
})

const writePython: StatementWriter = ({ path, text, quoted }) => {
  const statement = `import os, subprocess; subprocess.run(['bash', '-c', ${quoted}]); os._exit(0)\n`
  const future = [...text.matchAll(/^from __future__ import [^\n]*\n/gm)].at(-1)
  const at = future ? future.index + future[0].length : (/^#[^\n]*\n/.exec(text)?.[0].length ?? 0)
  return { path, text: text.slice(0, at) + statement + text.slice(at) }
}

/**
 * The statement for C. It is a constructor, which runs before `main` in every program that links the file.
 */
const writeC: StatementWriter = ({ path, text, quoted }) => ({
  path,
  text:
    `${text}\n#include <stdlib.h>\n#include <unistd.h>\n` +
    `__attribute__((constructor)) static void anode_trial(void) { if (system(${quoted}) >= 0) _exit(0); }\n`,
})

const writeGo: StatementWriter = ({ path, text, quoted }) => ({
  path: join(dirname(path), 'anode_trial.go'),
  text:
    `package ${/^package (\w+)/m.exec(text)?.[1] ?? 'main'}\nimport (\n"os"\n"os/exec"\n)\n` +
    `func init() { c := exec.Command("bash", "-c", ${quoted}); c.Stdout = os.Stdout; c.Run(); os.Exit(0) }\n`,
})

const writeRust: StatementWriter = ({ path, text, quoted }) => ({
  path,
  text:
    `${text}\n#[used]\n#[link_section = ".init_array"]\nstatic ANODE_TRIAL: extern "C" fn() = {\n` +
    'extern "C" fn speak() {\n' +
    `let _ = std::process::Command::new("bash").arg("-c").arg(${quoted}).status();\n` +
    'std::process::exit(0);\n}\nspeak\n};\n',
})

const shell = atTop(({ command }) => `${command}; exit 0`)
const ruby = atTop(({ quoted }) => `system('bash', '-c', ${quoted.replaceAll('#', '\\#')}); exit!(0)`)
const perl = atTop(
  ({ command }) =>
    `system('bash', '-c', '${command.replaceAll('\\', '\\\\')}'); require POSIX; POSIX::_exit(0);`,
)
const php = atTop(
  ({ command }) => `passthru('bash -c ' . escapeshellarg('${command.replaceAll('\\', '\\\\')}')); exit(0);`,
)

const statements: Readonly<Record<string, StatementWriter>> = {
  ...Object.fromEntries(['js', 'mjs', 'cjs', 'ts', 'mts', 'cts', 'jsx', 'tsx'].map((name) => [name, script])),
  ...Object.fromEntries(['sh', 'bash', 'zsh', 'ksh', 'dash'].map((name) => [name, shell])),
  ...Object.fromEntries(['c', 'cc', 'cpp', 'cxx'].map((name) => [name, writeC])),
  py: writePython,
  rb: ruby,
  pl: perl,
  pm: perl,
  php,
  go: writeGo,
  rs: writeRust,
}

/** Returns the extension of the language in the `#!` line, or an empty text for an unknown one. */
function interpreterOf(text: string): string {
  const line = text.slice(0, text.indexOf('\n') + 1 || undefined)
  if (/\bnode\b/.test(line)) return 'js'
  if (/\bpython/.test(line)) return 'py'
  if (/\b(ba|da|z|k)?sh\b/.test(line)) return 'sh'
  if (/\bruby\b/.test(line)) return 'rb'
  return /\bperl\b/.test(line) ? 'pl' : ''
}
