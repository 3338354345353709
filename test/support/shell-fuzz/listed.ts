// The gate's own table of programs, as something to generate lines from: what it takes for harmless is tried first.
import { listPrograms } from '../../../internal/policy/shell/programs/program-table.ts'
import type { Program, ProgramOption, ValueKind } from './programs.ts'

const kinds: Readonly<Record<string, ValueKind>> = {
  ':': 't',
  '?': 't',
  '@': 'f',
  '>': 'f',
  $: 'c',
  '!': 'c',
  '&': 'f',
}

/** Programs that the table takes for reading, with every option that it knows. */
export const listed: readonly Program[] = listPrograms()
  .filter(([role]) => role === 'reads' || role === 'version')
  .map(([, name, { options, traits }]) => ({
    name,
    options: [...options].filter(([option]) => !/^[-+]#$/.test(option)).map(toOption),
    operands: operandsOf(traits),
  }))

function toOption([name, marks]: readonly [string, string]): ProgramOption {
  const shown = name.startsWith('.') ? name.slice(1) : name.startsWith('-') ? name : `-${name}`
  return { name: shown, value: kinds[marks[0] ?? ''] }
}

function operandsOf(traits: ReadonlyMap<string, string>): readonly ValueKind[] {
  const own = traits.get('own')
  if (own === 'sed' || own === 'awk' || own === 'jq') return ['c', 'f']
  if (own !== undefined || traits.has('texts')) return ['t']
  return traits.has('first') ? ['p', 'f'] : ['f', 'f']
}
