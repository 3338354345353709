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

/**
 * Returns the first added line of a unified diff without context that matches a pattern in `acts`, with what
 * it does; undefined without such a line.
 */
export function findSpeakingLine(diff: string): SpeakingLine | undefined {
  let path = ''
  let line = 0
  for (const text of diff.split('\n')) {
    const target = /^\+\+\+ (?:b\/)?(.*)$/.exec(text)?.[1]
    const start = /^@@ -\S+ \+(\d+)/.exec(text)?.[1]
    if (target !== undefined) path = target
    else if (start !== undefined) line = Number(start)
    else if (text.startsWith('+')) {
      const act = acts.find(([, forms]) => forms.some((form) => form.test(text.slice(1))))
      if (act) return { path, line, does: act[0] }
      line++
    }
  }
  return undefined
}
