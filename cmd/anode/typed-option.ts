// The flags in the form in which users type them, before the command line is parsed.
import type { CommandOption, OptionTable } from './verb.ts'

/** Returns true if a word is a flag whose value is the next word. */
export function takesValue(word: string | undefined, options: OptionTable): boolean {
  const match = optionOf(word, options)
  return match !== undefined && match.option.type !== 'boolean'
}

/**
 * Returns the option that a word sets without `=VALUE`; undefined if the word is not such a flag
 * of the command.
 */
export function optionOf(word: string | undefined, options: OptionTable) {
  const name = /^--?([\w-]+)$/.exec(word ?? '')?.[1]
  if (name === undefined) return undefined
  const long = Object.hasOwn(options, name)
    ? name
    : Object.keys(options).find((key) => options[key]?.alias === name)
  return long === undefined ? undefined : { name: long, option: options[long] as CommandOption }
}
