// Profile files: their keys, and all problems of a file in one message.
import { expect, test } from 'vitest'
import { parseProfile, readProfile } from '../../../internal/profile/profile-file.ts'

const place = { name: 'mine', origin: 'user', path: '/u/mine.md' } as const
const file = (head: string, body = 'Be brief.') => `---\n${head}\n---\n${body}\n`
const least = 'about: One line\ntools: [read, "mcp__*"]'

test('fills missing keys with defaults', async () => {
  expect(await parseProfile(file(least), place)).toEqual({
    ...place,
    aliases: [],
    serves: [],
    about: 'One line',
    tools: ['read', 'mcp__*'],
    readOnly: false,
    maxTurns: 20,
    effort: 3,
    limits: {},
    prompt: 'Be brief.',
  })
})

test('accepts every key', async () => {
  const all = `name: mine\naliases: [m]\nreadOnly: true\nmaxTurns: 5\neffort: 0\nmodel: a/b\ntoolset: t\ndefault: true\nlimits: {toolCalls: 9, seconds: 1.5, tokens: 100, usd: 0.5}\n${least}`
  expect(await parseProfile(file(all), place)).toMatchObject({
    aliases: ['m'],
    readOnly: true,
    maxTurns: 5,
    effort: 0,
    model: 'a/b',
    toolset: 't',
    default: true,
    limits: { toolCalls: 9, seconds: 1.5, tokens: 100, usd: 0.5 },
  })
})

test.each([
  [`${least}\nreadonly: true`, 'unknown key readonly, did you mean readOnly?'],
  [`${least}\nconstructor: 1`, 'unknown key constructor'],
  [`${least}\nzzzzzzzzzzzzzz: 1`, 'known are name, aliases'],
  [`${least}\nname: other`, 'name is other, but it is loaded as mine'],
  [`${least}\nmaxTurns: 0`, 'maxTurns must be a whole number from 1'],
  [`${least}\nmaxTurns: "5"`, 'maxTurns must be a whole number from 1'],
  [`${least}\neffort: 7`, 'effort must be a whole number from 0 (none) to 6 (max)'],
  [`${least}\nreadOnly: maybe`, 'readOnly must be true or false'],
  [`${least}\nlimits: {minutes: 1}`, 'unknown key limits.minutes, known are toolCalls'],
  [`${least}\nlimits: {usd: -1}`, 'limits.usd must be a number above 0'],
  [`${least}\nlimits: 3`, 'limits must be an object'],
  [`${least}\nprompt: x`, 'not a key'],
  ['about: x', 'tools is missing'],
  ['tools: [read]', 'about is missing'],
  ['about: x\ntools: []', 'tools must be a list'],
  ['about: x\ntools: read', 'tools must be a list'],
  ['about: x\ntools: ["re ad"]', 'tools must be a list'],
])('rejects %j', async (head, message) => {
  await expect(parseProfile(file(head), place)).rejects.toThrow(message)
})

test('reports several problems together', async () => {
  await expect(parseProfile(file('effort: 9\nmaxTurn: 1', ''), place)).rejects.toThrow(
    /effort must .*; unknown key maxTurn, .*; about is missing; tools is missing; the text below/,
  )
})

test('an entry of the configuration changes keys of the profile with the same name', async () => {
  const below = await parseProfile(file(least), place)
  const at = { name: 'mine', origin: 'config', path: 'profiles.mine' } as const
  expect(readProfile({ model: 'x/y' }, at, below)).toEqual({ ...below, ...at, model: 'x/y' })
  expect(readProfile({ model: ['x/y', 'z'] }, at, below).model).toBe('x/y,z')
  expect(() => readProfile({ model: 'x/y' }, at)).toThrow(
    'about is missing; tools is missing; prompt is missing',
  )
})
