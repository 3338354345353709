// Blocks of a prompt as a message: joined text, named files, and images.
import { expect, it } from 'vitest'
import { readFileLink, readPromptBlocks } from '../../../internal/acp/prompt-content.ts'

it('joins text, and keeps other blocks in their position', () => {
  const text = (words: string) => ({ type: 'text' as const, text: words })
  const image = { type: 'image' as const, mimeType: 'image/png', data: 'QQ==' }
  expect(readPromptBlocks([text('a'), text('b')])).toEqual({ content: 'ab', files: [] })
  expect(readPromptBlocks([text('a'), image, text('b')]).content).toEqual([
    { type: 'text', text: 'a' },
    { type: 'image', mime: 'image/png', base64: 'QQ==' },
    { type: 'text', text: 'b' },
  ])
  const blob = {
    type: 'resource' as const,
    resource: { uri: 'x:1', blob: 'QQ==', mimeType: 'application/zip' },
  }
  expect(readPromptBlocks([blob]).content).toEqual([
    { type: 'text', text: '\n[file x:1]\n' },
    { type: 'document', name: 'x:1', base64: 'QQ==' },
  ])
  const link = { type: 'resource_link' as const, name: 'site', uri: 'https://example.org/a' }
  expect(readPromptBlocks([link])).toEqual({ content: '@https://example.org/a', files: [] })
  expect(() => readPromptBlocks([{ type: 'audio', mimeType: 'audio/wav', data: '' }])).toThrow('sound')
})

it('reads files and lines from file links, and nothing from other links', () => {
  expect(readFileLink('file:///a/b%20c.ts')).toEqual({ path: '/a/b c.ts' })
  expect(readFileLink('file:///a/b.ts#L3-7')).toEqual({ path: '/a/b.ts', startLine: 3, endLine: 7 })
  expect(readFileLink('file:///a/b.ts#L3:L7')).toEqual({ path: '/a/b.ts', startLine: 3, endLine: 7 })
  expect(readFileLink('file:///a/b.ts#12')).toEqual({ path: '/a/b.ts', startLine: 12, endLine: 12 })
  expect(readFileLink('file:///a/b.ts#heading')).toEqual({ path: '/a/b.ts' })
  for (const uri of ['https://a/b', 'file://host/a', 'file:///a%00%2fb', 'file://', '/a/b'])
    expect(readFileLink(uri)?.path ?? 'none', uri).not.toContain('host')
})
