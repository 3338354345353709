// Mentions of resources, and commands for prompts, in a message of the user.
import { expect, test } from 'vitest'
import { findMentions, parseMention, parsePromptCommand } from '../../../internal/tool-support/mention.ts'

test('finds mentions and commands in a message of the user', () => {
  expect(findMentions('see @fs:file:///a.txt, and @s:x://y. mail me@home.org @s:x://y')).toEqual([
    { server: 'fs', uri: 'file:///a.txt' },
    { server: 's', uri: 'x://y' },
  ])
  expect(findMentions('me@s:x://y or (@s:x://z) or "@s:x:1"')).toEqual([
    { server: 's', uri: 'x://z' },
    { server: 's', uri: 'x:1' },
  ])
  expect(parseMention('@s:x://y')).toEqual({ server: 's', uri: 'x://y' })
  expect(parseMention('@s:x://y z')).toBeUndefined()
  expect(parseMention('src/a.ts')).toBeUndefined()
  expect(parsePromptCommand('/s:greet Ada "very kindly"')).toEqual({
    server: 's',
    prompt: 'greet',
    rest: 'Ada "very kindly"',
  })
  expect(parsePromptCommand('/usr/bin:/bin is my path')).toBeUndefined()
  expect(parsePromptCommand('say /s:greet')).toBeUndefined()
})
