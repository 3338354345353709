// Problems of bodies, of each kind, name the place and what fits.
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { describeBodyIssue } from '../../../../internal/server/http/body-issue.ts'

const send = z.strictObject({ type: z.literal('send'), text: z.string() })
const rename = z.strictObject({ type: z.literal('rename'), title: z.string().check(z.minLength(1)) })
const schemas = {
  union: z.union([send, rename]),
  tagged: z.discriminatedUnion('type', [send, rename]),
  inner: z.strictObject({ command: z.union([send, rename]) }),
}

test.each([
  ['union', { type: 'send' }, 'text: must be of type string'],
  ['union', { type: 'send', text: 5 }, 'text: must be of type string'],
  ['union', { type: 'send', text: 'a', more: 1 }, 'the body: unknown key more'],
  ['union', { type: 'other' }, 'type: must be one of send, rename'],
  ['union', {}, 'type: must be one of send, rename'],
  ['union', 5, 'the body: must be of type object'],
  ['inner', { command: { type: 'rename' } }, 'command.title: must be of type string'],
  ['inner', { command: { type: 'no' } }, 'command.type: must be one of send, rename'],
  ['inner', {}, 'command: must be of type object'],
  ['tagged', { type: 'send' }, 'text: must be of type string'],
] as const)('%s %j', (name, value, said) => {
  const { error } = schemas[name].safeParse(value)
  const issue = error?.issues[0]
  expect(issue && describeBodyIssue(issue)).toBe(said)
})
