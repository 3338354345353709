// Argument aliases: what models send under other programs' tool names, as our tools declare it.
import { isObject } from '../base/untrusted-json.ts'

/** Names of parameters, from theirs to ours. */
const parameters: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  shell_command: { workdir: 'cwd', timeout: 'timeout_ms' },
  shell: { workdir: 'cwd', timeout: 'timeout_ms' },
  Bash: { timeout: 'timeout_ms' },
  Read: { file_path: 'path' },
  Write: { file_path: 'path' },
  Edit: { file_path: 'path', old_string: 'old_str', new_string: 'new_str' },
}

/** How such a program asks for more rights; here the gate alone decides. */
const escalation = [
  'justification',
  'with_escalated_permissions',
  'sandbox_permissions',
  'prefix_rule',
  'login',
]

/** Parameters that say nothing a tool of ours could use. */
const droppedParameters: Readonly<Record<string, readonly string[]>> = {
  shell_command: escalation,
  shell: escalation,
  Bash: ['description'],
}

/** The arguments of a call to `name` as the tool behind it declares them; others unchanged. */
export function adaptArguments(name: string, args: unknown): unknown {
  const renamed = Object.hasOwn(parameters, name) ? parameters[name] : undefined
  if (!renamed || !isObject(args)) return args
  const dropped = droppedParameters[name] ?? []
  const entries = Object.entries(args).filter(([key]) => !dropped.includes(key))
  return Object.fromEntries(
    entries.map(([key, value]) => {
      const own = Object.hasOwn(renamed, key) ? (renamed[key] as string) : key
      return [own, own === 'command' ? commandLine(value) : value]
    }),
  )
}

const shell = /^(\/(usr\/)?bin\/)?(ba|da|z)?sh$/

/** A list of words is one simple command; a shell with a script is the script. */
function commandLine(value: unknown): unknown {
  if (!Array.isArray(value) || !value.every((word) => typeof word === 'string') || value.length === 0)
    return value
  const [program, option, script] = value as string[]
  if (value.length === 3 && shell.test(program as string) && /^-l?c$/.test(option as string)) return script
  return (value as string[]).map(quoteWord).join(' ')
}

/** A word that the shell takes as it stands. */
function quoteWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
