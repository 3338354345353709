// Flags as they are typed, before the line is parsed.
import type { CommandOption } from './verb.ts'

type Options = Readonly<Record<string, CommandOption>>

/** Whether the word behind this one is its value. */
export function takesValue(word: string | undefined, options: Options): boolean {
  const found = optionOf(word, options)
  return found !== undefined && found.option.type !== 'boolean'
}

/** The flag that a word is, when it is one of the command's and holds no value of its own. */
export function optionOf(word: string | undefined, options: Options) {
  const name = /^--?([\w-]+)$/.exec(word ?? '')?.[1]
  if (name === undefined) return undefined
  const long = Object.hasOwn(options, name)
    ? name
    : Object.keys(options).find((key) => options[key]?.alias === name)
  return long === undefined ? undefined : { name: long, option: options[long] as CommandOption }
}
