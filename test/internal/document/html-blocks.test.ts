// The text of a web page, without scripts and decoration.
import { expect, test } from 'vitest'
import { parseDocument } from '../../../internal/document/document.ts'

const options = { signal: new AbortController().signal }

async function blocksOf(page: string | Buffer) {
  const read = await parseDocument(Buffer.from(page), 'html', options)
  if ('skipped' in read) throw new Error(read.skipped)
  return read.blocks.map(({ text }) => text)
}

test('skips scripts, menus, hidden parts and templates, and decodes entities', async () => {
  const page =
    '<script>if (1<2) x("<p>")</script><nav><p>menu</p></nav><p hidden>unseen<p>5 &lt; 6 &amp;&nbsp;&Omega;' +
    '<template><p>later</p></template><p>a<br>b<img src=x alt="a chart"><svg><text>x</text></svg>'
  expect(await blocksOf(page)).toEqual(['5 < 6 & Ω', 'a\nb a chart'])
})

test('reads lists, definitions, code with its lines, and quotes', async () => {
  const page =
    '<ul><li>one<li>two <b>bold</b></ul><dl><dt>term<dd>its meaning</dl><pre>a\n  b</pre><blockquote>said</blockquote>end'
  expect(await blocksOf(page)).toEqual(['one', 'two bold', 'term', 'its meaning', 'a\nb', 'said', 'end'])
})

test('reads tables with and without column names, and a table within a cell', async () => {
  const page =
    '<table><tr><td>1</td><td>2</td></tr></table>' +
    '<table><thead><tr><th>name<th>value</thead><tr><td>max<td><p>5</p><p>s</p></table>' +
    '<table><tr><td>outer<table><tr><td>in</td></tr></table></td></tr></table>'
  expect(await blocksOf(page)).toEqual(['1 | 2', 'name | value', 'name: max; value: 5 s', 'outer in'])
})

test('reads old encodings as declared, or with the most common one', async () => {
  expect(await blocksOf(Buffer.from('<p>Grad \xb0, M\xfcll', 'latin1'))).toEqual(['Grad °, Müll'])
  const koi = Buffer.concat([Buffer.from('<meta charset="koi8-r"><p>'), Buffer.from([0xd0, 0xd2, 0xc9])])
  expect(await blocksOf(koi)).toEqual(['при'])
  expect(await blocksOf(Buffer.from('\ufeff<p>sixteen</p>', 'utf16le'))).toEqual(['sixteen'])
})
