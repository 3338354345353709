import { expect, it } from 'vitest'
import { type MarkdownBlock, parseMarkdownBlocks } from '../../../../internal/study/report/markdown-blocks.ts'

it.each<[string, string, MarkdownBlock[]]>([
  ['nothing', '\n\n', []],
  [
    'paragraphs',
    'one\ntwo\n\nthree',
    [
      { kind: 'text', text: 'one two' },
      { kind: 'text', text: 'three' },
    ],
  ],
  [
    'lists, also loose ones, with lines that go on',
    '- a\n  b\n\n- c\n1. d',
    [
      { kind: 'list', ordered: false, items: ['a b', 'c'] },
      { kind: 'list', ordered: true, items: ['d'] },
    ],
  ],
  [
    'headings and quotes',
    '### T\n> a\n> b\n\n> c',
    [
      { kind: 'heading', text: 'T' },
      { kind: 'quote', text: 'a b' },
      { kind: 'quote', text: 'c' },
    ],
  ],
  ['code keeps what it holds', '~~~\n- a\n\n```\n~~~', [{ kind: 'code', text: '- a\n\n```' }]],
  ['a fence that never closes', '```\nx', [{ kind: 'code', text: 'x' }]],
  ['HTML is text', '<b>x</b>', [{ kind: 'text', text: '<b>x</b>' }]],
])('%s', (_, markdown, expected) => expect(parseMarkdownBlocks(markdown)).toEqual(expected))
