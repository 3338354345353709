// Messages by transfer encoding and charset, nested parts, and attachments.
import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { parseDocument } from '../../../internal/document/document.ts'

async function readMail(source: string | Buffer) {
  const read = await parseDocument(Buffer.from(source as string, 'latin1'), 'mail', {
    signal: new AbortController().signal,
  })
  if ('skipped' in read) throw new Error(read.skipped)
  return { ...read, texts: read.blocks.map(({ text }) => text) }
}

const sentence = { ru: 'Паром отходит в 17:40', de: 'Fähre über die Förde', zh: '客船每天十七点出发' }
const charsets = [
  ['ru', 'UTF-8'],
  ['ru', 'KOI8-R'],
  ['ru', 'windows-1251'],
  ['de', 'ISO-8859-1'],
  ['de', 'windows-1252'],
  ['zh', 'GB18030'],
] as const
const transfers = ['8bit', 'base64', 'quoted-printable'] as const

const encode = (text: string, charset: string) =>
  execFileSync('iconv', ['-f', 'UTF-8', '-t', charset.replace('windows-', 'CP')], { input: text })
const quote = (bytes: Buffer) =>
  [...bytes]
    .map((byte, i) => `=${byte.toString(16).toUpperCase().padStart(2, '0')}${i % 20 === 19 ? '=\r\n' : ''}`)
    .join('')

test.each(
  charsets.flatMap(([language, charset]) =>
    transfers.map((transfer) => [language, charset, transfer] as const),
  ),
)('%s in %s, %s', async (language, charset, transfer) => {
  const bytes = encode(sentence[language], charset)
  const body =
    transfer === '8bit'
      ? bytes.toString('latin1')
      : transfer === 'base64'
        ? bytes.toString('base64')
        : quote(bytes)
  const subject = `=?${charset}?B?${bytes.toString('base64')}?=`
  const read = await readMail(
    `From: ida@a.example\r\nSubject: ${subject}\r\nDate: Mon, 3 Jun 2024 10:00:00 +0200\r\n` +
      `Content-Type: text/plain; charset="${charset}"\r\nContent-Transfer-Encoding: ${transfer}\r\n\r\n${body}\r\n`,
  )
  expect(read.title).toBe(sentence[language])
  expect(read.date).toBe('2024-06-03')
  expect(read.texts.at(-1)).toBe(sentence[language])
})

test('nested parts: plain text of alternatives, HTML alone, and attachments by name', async () => {
  const part = (head: string, body: string) => `${head}\r\n\r\n${body}`
  const many = (type: string, boundary: string, parts: readonly string[]) =>
    `Content-Type: multipart/${type};\r\n boundary="${boundary}"\r\n\r\nignored\r\n` +
    `${parts.map((one) => `--${boundary}\r\n${one}\r\n`).join('')}--${boundary}--\r\nignored too\r\n`
  const alternative = many('alternative', 'in=ner', [
    part('Content-Type: text/plain', 'plain words'),
    part('Content-Type: text/html', '<p>rich words</p>'),
  ])
  const read = await readMail(
    `Subject: a\r\n${many('mixed', 'outer', [
      alternative,
      part('Content-Type: text/html; charset=utf-8', '<p>only HTML</p>'),
      part(
        `Content-Type: application/pdf\r\nContent-Disposition: attachment; filename*=utf-8''F%C3%A4hre.pdf\r\nContent-Transfer-Encoding: base64`,
        'JVBERg==',
      ),
    ])}`,
  )
  expect(read.texts).toEqual([
    'Subject: a',
    'plain words',
    'only HTML',
    '[attachment: Fähre.pdf, application/pdf, 4 bytes; not read]',
  ])
})

test('rejects a file that is not a message', async () => {
  await expect(readMail('just some words\n')).rejects.toThrow('it is not a message')
})
