// Command lines as people write them, split into words and led to their verb.
import { session } from '../../cmd/anode/session/index.ts'
import { isGroup, loadVerb, type Verb } from '../../cmd/anode/verb.ts'
import { aliases, verbs } from '../../cmd/anode/verbs.ts'

/** Words as a shell splits them, up to where another command or a redirection begins. */
export function wordsOf(line: string): string[] {
  const words: string[] = []
  for (const [word] of line.matchAll(/(?:'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^\s'"\\])+/g)) {
    if (/^(?:\||\|\||&&|;|>|>>|<|2>&1|#.*|\)|—)$/.test(word) || /^\d?>/.test(word)) break
    const ends = /;$/.test(word)
    words.push(word.replace(/[;)]$/, '').replaceAll(/^['"]|['"]$/g, ''))
    if (ends) break
  }
  return words.slice(1)
}

/** Returns the verb of the words, and the rest of them; undefined for prose such as `anode study` alone. */
export async function verbOf(
  words: readonly string[],
): Promise<{ verb: Verb; rest: string[] } | string | undefined> {
  const [first = '', second = ''] = words
  const name = aliases[first] ?? first
  const load = Object.hasOwn(verbs, name) ? verbs[name] : undefined
  // what begins with a flag is a session's
  if (!load && first === session.name && second === '--help') return { verb: session, rest: [second] }
  if (!load && /^--?(?:[a-z]|$)/.test(first) && !/^(?:--(?:version|help)|-[hv])$/.test(first))
    return { verb: session, rest: [...words] }
  if (!load)
    return /^(?:--(?:version|help)|-[hv]|COMMAND|help|version)$/.test(first) ||
      first === '' ||
      first.includes(' ')
      ? undefined
      : `no command ${first}`
  const command = await load()
  if (!isGroup(command)) return { verb: command, rest: words.slice(1) }
  if (second === '' && command.runsAlone && command.otherwise)
    return { verb: await loadVerb(command.otherwise), rest: [] }
  if (second === '' || second === '--help' || /^(?:[A-Z]+$|…)/.test(second) || second.includes('|'))
    return undefined
  const own = Object.hasOwn(command.verbs, second) ? command.verbs[second] : undefined
  if (own) return { verb: await loadVerb(own), rest: words.slice(2) }
  return command.otherwise
    ? { verb: await loadVerb(command.otherwise), rest: words.slice(1) }
    : `no command ${first} ${second}`
}
