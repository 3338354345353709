// The lines of a response that are calls, text, or mistakes.
import { describe, expect, test } from 'vitest'
import { type TextItem, textReader } from '../../../../internal/model/text/text-protocol.ts'

/** Reads a response that arrives in pieces of this many characters. */
function read(reply: string, size = reply.length || 1, cut = false): TextItem[] {
  const reader = textReader()
  const items: TextItem[] = []
  for (let i = 0; i < reply.length; i += size) items.push(...reader.push(reply.slice(i, i + size)))
  items.push(...reader.close(cut))
  return items
}

/** Returns `call NAME`, `broken NAME`, or the text itself. Adjacent text is joined. */
function outline(items: readonly TextItem[]): string[] {
  const out: string[] = []
  let joined: TextItem['kind'] | undefined
  for (const item of items) {
    if (item.kind === 'text' || item.kind === 'reasoning') {
      const shown = item.kind === 'text' ? item.text : `(${item.text})`
      if (joined === 'text' && item.kind === 'text') out[out.length - 1] += shown
      else if (joined === 'reasoning' && item.kind === 'reasoning') {
        out[out.length - 1] = `${out.at(-1)?.slice(0, -1)}${item.text})`
      } else out.push(shown)
    } else {
      out.push(`${item.kind} ${item.name}`)
    }
    joined = item.kind
  }
  return out
}

const call = 'TOOL: {"name": "read", "args": {"path": "a"}}'

const cases: [name: string, reply: string, outline: string[]][] = [
  ['a call alone', call, ['call read']],
  ['a call with a line end', `${call}\n`, ['call read']],
  ['Windows line ends', `Text.\r\n${call}\r\n`, ['Text.\r\n', 'call read']],
  ['prose around', `I look.\n\n${call}\n\nThen more.`, ['I look.\n\n', 'call read', '\nThen more.']],
  ['several', `${call}\n${call.replace('read', 'grep')}`, ['call read', 'call grep']],
  ['up to three spaces', `   ${call}`, ['call read']],
  ['no space after the colon', 'TOOL:{"name":"read","args":{}}', ['call read']],
  ['no arguments', 'TOOL: {"name": "todo_read"}', ['call todo_read']],
  ['space behind', `${call}   `, ['call read']],

  ['four spaces are code', `    ${call}`, [`    ${call}`]],
  ['a tab is code', `\t${call}`, [`\t${call}`]],
  ['within a line', `I would write ${call}`, [`I would write ${call}`]],
  ['in a list', `- ${call}`, [`- ${call}`]],
  ['in quotation marks', `"${call}"`, [`"${call}"`]],
  ['in bold', `**${call}**`, [`**${call}**`]],
  ['in small letters', call.replace('TOOL', 'tool'), [call.replace('TOOL', 'tool')]],
  ['another word', `MY${call}`, [`MY${call}`]],
  ['TOOLS', `TOOLS: read, grep`, ['TOOLS: read, grep']],

  ['in a fence', `\`\`\`\n${call}\n\`\`\``, [`\`\`\`\n${call}\n\`\`\``]],
  ['in a fence with a language', `\`\`\`json\n${call}\n\`\`\`\n`, [`\`\`\`json\n${call}\n\`\`\`\n`]],
  ['in a tilde fence', `~~~\n${call}\n~~~`, [`~~~\n${call}\n~~~`]],
  ['in a fence that nobody closes', `\`\`\`\n${call}\n`, [`\`\`\`\n${call}\n`]],
  ['behind a fence', `\`\`\`\nx\n\`\`\`\n${call}`, ['```\nx\n```\n', 'call read']],
  [
    'a shorter fence does not close a longer one',
    `\`\`\`\`\n\`\`\`\n${call}\n\`\`\`\`\n${call}`,
    [`\`\`\`\`\n\`\`\`\n${call}\n\`\`\`\`\n`, 'call read'],
  ],
  ['tildes do not close backticks', `\`\`\`\n~~~\n${call}\n\`\`\``, [`\`\`\`\n~~~\n${call}\n\`\`\``]],
  ['a closing fence has no words', `\`\`\`\n\`\`\`js\n${call}\n`, [`\`\`\`\n\`\`\`js\n${call}\n`]],
  ['three backticks within a line are no fence', `\`\`\`x\`\`\`\n${call}`, ['```x```\n', 'call read']],

  ['in a quotation', `> ${call}`, [`> ${call}`]],
  ['in a quotation without space', `>${call}`, [`>${call}`]],
  ['right below a quotation', `> quoted\n${call}`, ['> quoted\n', 'broken read']],
  ['below a quotation and an empty line', `> quoted\n\n${call}`, ['> quoted\n\n', 'call read']],
  ['below a quotation that ends empty', `> quoted\n>\n${call}`, ['> quoted\n>\n', 'call read']],

  ['thinking first', `<think>\n${call}\n</think>\n${call}`, [`(\n${call}\n)`, 'call read']],
  ['thinking on one line', `<think>so</think>\nyes`, ['(so)', 'yes']],
  ['thinking later is text', `x\n<think>\n${call}`, ['x\n<think>\n', 'call read']],
]

test('a call without a tool name is a call, so that it gets an error as a result', () => {
  for (const args of ['{}', '{"path": "a"}']) {
    expect(read(`TOOL: {"args": ${args}}\n`)).toEqual([{ kind: 'call', name: '', args: JSON.parse(args) }])
  }
  expect(read('TOOL: {}\n')).toEqual([{ kind: 'call', name: '', args: {} }])
})

test('reads a line in a hundred thousand pieces in time', () => {
  const reader = textReader()
  const line = `TOOL: {"name": "create_file", "args": {"content": "${'x'.repeat(1_000_000)}"}}`
  const started = process.cpuUsage()
  for (let i = 0; i < line.length; i += 8) expect(reader.push(line.slice(i, i + 8))).toEqual([])
  expect(reader.close(false)).toMatchObject([{ kind: 'call', name: 'create_file' }])
  // Processor time, because other processes may run meanwhile.
  expect(process.cpuUsage(started).user).toBeLessThan(10_000_000)
})

describe('replies', () => {
  test.each(cases)('reads %s', (_name, reply, expected) => {
    expect(outline(read(reply))).toEqual(expected)
  })

  test.each(cases)('reads %s, in pieces of every size', (_name, reply, expected) => {
    for (let size = 1; size <= reply.length; size++) {
      expect(outline(read(reply, size)), `pieces of ${size}`).toEqual(expected)
    }
  })
})

/** Text after `TOOL:`, position of the mistake, a word of the message, and the guessed name. */
const broken: [string, number, RegExp, string][] = [
  ['', 0, /a value/, ''],
  ['read a.txt', 0, /a value/, ''],
  ['{"name": "read", "args": {"path": "a"}', 38, /","/, 'read'],
  ['{"name": "read", "args": {"path": "a",}}', 38, /quoted key/, 'read'],
  ['{"name": "read", "args": {}} and so on', 29, /after the end/, 'read'],
  ['{"name": "read", "args": "a"}', 0, /args must be an object/, 'read'],
  ['{"name": "read", "args": ["a"]}', 0, /args must be an object/, 'read'],
  ['{"name": "read", "arguments": {}}', 0, /"arguments".*name and args/, 'read'],
  ['{"name": 7, "args": {}}', 0, /name must be/, ''],
  ['["read"]', 0, /one JSON object/, ''],
  ['null', 0, /one JSON object/, ''],
]

test.each(broken)('reports broken arguments: %s', (raw, position, message, name) => {
  const [item, ...rest] = read(`TOOL: ${raw}\n`)
  if (item?.kind !== 'broken') throw new Error(`read as ${item?.kind}`)
  expect(rest).toEqual([])
  expect(item.name).toBe(name)
  expect(item.malformed).toMatchObject({ raw, position })
  expect(item.malformed.error).toMatch(message)
})

test('marks a response that was cut within a call, but not one that was cut after it', () => {
  const half = read('TOOL: {"name": "read", "ar', 7, true)
  expect(half).toMatchObject([
    { kind: 'broken', name: 'read', malformed: { error: expect.stringMatching(/output limit/) } },
  ])
  expect(read(call, 7, true)).toMatchObject([{ kind: 'call', name: 'read' }])
})

test('runs nothing for a truncated call', () => {
  for (let cut = 0; cut < call.length; cut++) {
    expect(
      read(call.slice(0, cut)).filter((item) => item.kind === 'call'),
      `cut at ${cut}`,
    ).toEqual([])
  }
})

test('returns text at once, and holds back a line that may be a call', () => {
  const reader = textReader()
  expect(reader.push('Hel')).toEqual([{ kind: 'text', text: 'Hel' }])
  expect(reader.push('lo\nTO')).toEqual([{ kind: 'text', text: 'lo\n' }])
  expect(reader.push('OL')).toEqual([])
  expect(reader.push('S are')).toEqual([{ kind: 'text', text: 'TOOLS are' }])
  expect(reader.close(false)).toEqual([])
})
