// Flags as typed on the command line, before it is parsed.
import type { CommandOption } from './verb.ts'

type Options = Readonly<Record<string, CommandOption>>

/** Returns whether the next word is the value of this word. */
export function takesValue(word: string | undefined, options: Options): boolean {
  const found = optionOf(word, options)
  return found !== undefined && found.option.type !== 'boolean'
}

/** Returns the option for a word, or undefined if the word is not a flag of the command without `=VALUE`. */
export function optionOf(word: string | undefined, options: Options) {
  const name = /^--?([\w-]+)$/.exec(word ?? '')?.[1]
  if (name === undefined) return undefined
  const long = Object.hasOwn(options, name)
    ? name
    : Object.keys(options).find((key) => options[key]?.alias === name)
  return long === undefined ? undefined : { name: long, option: options[long] as CommandOption }
}
