// Search in the lines that a candidate adds for code that replaces the benchmark's output or
// ends its process.

/** Description of what a line does, with patterns for it in common languages. */
const acts: readonly (readonly [string, readonly RegExp[]])[] = [
  ['names METRIC lines', [/METRIC/]],
  ['uses console other than to print', [/\bconsole\b(?!\s*\.\s*(log|error|warn|info|debug)\s*\()/]],
  [
    'uses the standard streams of the process',
    [
      /process\s*\??\s*(\.\s*|\[\s*['"`])(stdout|stderr|stdin|binding|reallyExit|_rawDebug)\b/,
      /\bsys\s*\.\s*(__)?std(out|err)/,
      /\bos\s*\.\s*(write|dup2?|fdopen)\b/,
    ],
  ],
  [
    'writes to a descriptor',
    [
      /\b(writeSync|writevSync|createWriteStream|openSync)\s*\(/,
      /\bfdopen\b|\bdup2\s*\(|>&\s*[0-9]|\bwrite\s*\(\s*[0-9]\s*,/,
    ],
  ],
  [
    'ends the process or acts at its end',
    [
      /process\s*\??\s*(\.\s*|\[\s*['"`])(exit|kill|abort|on|once|emit|addListener|prependListener)\b/,
      /\batexit\b|\b(os|sys)\s*\.\s*_?exit\b|\bos\.Exit\b|\b_?exit\s*\(|\bquick_exit\b/,
      /std::process::(exit|abort)|\babort\s*\(|\braise\s+SystemExit/,
    ],
  ],
  [
    'changes built-in functions',
    [
      /\bbuiltins?\b|__builtins__|\bglobalThis\b|\bglobal\s*[.[]|\bsetattr\s*\(/,
      /Object\.define|\.prototype\b[^;]*=(?!=)|\bReflect\b|\bnew\s+Proxy\b/,
    ],
  ],
  [
    'runs text as code',
    [/\beval\s*\(|\bFunction\s*\(|\bexec\s*\(|\bcompile\s*\(/, /\bvm\b\s*\.|getBuiltinModule|fromCharCode/],
  ],
  [
    'starts programs or loads modules for it',
    [
      /child_process|worker_threads|\bsubprocess\b|\bos\.system\b|\bpopen\b/,
      /os\/exec|process::Command|inspector|\bctypes\b|\bptrace\b/,
    ],
  ],
  ['reads the environment or other processes', [/ANODE_|process\s*\??\.\s*env|os\.environ|getenv|\/proc\b/]],
  [
    'replaces functions that measure',
    [/\b(performance|Date|process)\s*\.\s*(now|hrtime|cpuUsage)\s*=|\btime\s*\.\s*\w+\s*=(?!=)|LD_PRELOAD/],
  ],
]

/** An added line that may print metrics in place of the benchmark. */
interface SpeakingLine {
  path: string
  line: number
  does: string
}

const hunkHeader = /^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/

/**
 * Returns the first added line of git's diff between two trees that matches a pattern in `acts`, with what it
 * does; undefined without such a line. The counts in the header of a hunk tell its lines from the headers of
 * files, because the diff shows an added line `++ x` as `+++ x`, which looks like such a header.
 */
export function findSpeakingLine(diff: string): SpeakingLine | undefined {
  let path = ''
  let line = 0
  let oldLines = 0
  let newLines = 0
  for (const text of diff.split('\n')) {
    if (oldLines > 0 || newLines > 0) {
      // A note such as "\ No newline at end of file" is a line of neither file.
      if (text.startsWith('\\')) continue
      if (text.startsWith('-')) {
        oldLines--
        continue
      }
      newLines--
      if (text.startsWith('+')) {
        const act = acts.find(([, forms]) => forms.some((form) => form.test(text.slice(1))))
        if (act) return { path, line, does: act[0] }
      } else oldLines--
      line++
      continue
    }
    const [isHunk, oldCount = '1', start, newCount = '1'] = hunkHeader.exec(text) ?? []
    if (isHunk !== undefined) {
      oldLines = Number(oldCount)
      newLines = Number(newCount)
      line = Number(start)
    } else path = /^\+\+\+ (?:b\/)?(.*)$/.exec(text)?.[1] ?? path
  }
  return undefined
}
