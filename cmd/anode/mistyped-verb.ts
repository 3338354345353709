// Words of a free text that are a mistyped command, such as `anode study reprot last`.
import { UserError } from '../../internal/base/errors.ts'
import { findNearest } from '../../internal/base/text/name-suggestion.ts'

/** A group of commands after whose name a free text may follow in place of a command. */
interface TextGroup {
  /** The group as it is typed, such as `anode study`. */
  group: string
  verbs: readonly string[]
  /** What the text is, such as `question`. */
  kind: string
}

/**
 * Throws UserError if `text` seems to be a mistyped command of the group: a word close to a command, alone or
 * before `last` or a word in the form of an id, or any word before `last` or the beginning of an id. Examples
 * are `reprot`, `statsu 01JD3K8Q` and `delete last`. Other texts are accepted.
 */
export function refuseMistypedVerb(text: string, { group, verbs, kind }: TextGroup): void {
  const [first = '', second, ...more] = text.split(/\s+/)
  if (more.length > 0 || (second !== undefined && !/^(?:last|[0-9A-HJKMNP-TV-Z]{6,26})$/i.test(second)))
    return
  const near = findNearest(first, verbs, 1)[0]
  if (near === undefined && !isThing(second)) return
  const meant =
    near === undefined
      ? `the commands are ${verbs.join(', ')}.`
      : `did you mean ${[group, near, ...(second === undefined ? [] : [second])].join(' ')}?`
  throw new UserError(`${group.replace('anode ', '')} has no command ${first}`, {
    hint: `${meant} To use it as a ${kind}: ${group} -- ${text}`,
  })
}

/**
 * Returns true if the word is `last`, or the first six or more characters of an id. Ids begin with a time,
 * whose first digit is 0.
 */
const isThing = (word: string | undefined) =>
  word !== undefined && /^(?:last|0[0-9A-HJKMNP-TV-Z]{5,25})$/i.test(word)
