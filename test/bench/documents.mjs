// `npm run bench:documents`: reads public documents with the built program, and counts the words that a
// reference has and Anode does not, and the words that no reference has. Table and documents.json. Documents
// of npm and PyPI packages (npm, python3 with pip and tar are needed) and of repositories are downloaded once
// into a cache directory, ANODE_BENCH_DOCUMENTS. Documents that cannot be downloaded are skipped and listed.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fetchDocuments } from './documents/fetch-documents.mjs'
import { referenceOf } from './documents/references.mjs'
import { compareWords, wordsOf } from './documents/words.mjs'

const here = import.meta.dirname
const program = process.env.ANODE_BIN ?? join(here, '..', '..', 'dist', 'anode.cjs')
const { repositories, files } = JSON.parse(readFileSync(join(here, 'documents', 'files.json'), 'utf8'))
const cache = process.env.ANODE_BENCH_DOCUMENTS ?? join(homedir(), '.cache', 'anode-bench-documents')
const wanted = process.argv.slice(2)
const chosen = files.filter(({ path }) => wanted.every((word) => path.includes(word)))
const mostMissing = 0.02

const { fetched, skipped } = await fetchDocuments(chosen, repositories, cache)
for (const [why, paths] of skipped)
  process.stderr.write(`skipped ${paths.length}: ${why}: ${paths.slice(0, 3).join(', ')}\n`)

const answers = readAll(fetched)
const rows = fetched.map((file, i) => judge(file, answers[i]))
report(rows)

/** Returns one result of `read_document` for each file, in order. */
function readAll(documents) {
  const home = mkdtempSync(join(tmpdir(), 'anode-bench-documents-'))
  try {
    const calls = documents.map(({ local }) => ({
      tool: 'read_document',
      args: { path: local, max_chars: 50_000_000, max_images: 0 },
    }))
    const args = [program, 'tools', 'batch', '--tool', 'read_document']
    const env = { PATH: process.env.PATH, HOME: home }
    const input = calls.map((call) => `${JSON.stringify(call)}\n`).join('')
    const done = spawnSync(process.execPath, args, {
      cwd: cache,
      env,
      input,
      encoding: 'utf8',
      maxBuffer: 1 << 30,
    })
    const lines = done.stdout.split('\n').filter((line) => line !== '')
    if (lines.length !== documents.length)
      throw new Error(`the program did not answer: ${done.stderr.slice(0, 2_000)}`)
    return lines.map((line) => JSON.parse(line))
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

function judge(file, answer) {
  const { path, kind, refused, local } = file
  const base = { repository: file.repository, path, kind }
  const scan = /^\[(no text[^\]]*)\]/.exec(answer.text ?? '')?.[1]
  const error = answer.error?.message ?? scan
  if (kind === 'refused' || refused !== undefined || error !== undefined) {
    const why = error?.replace(/^.*?\.\w+: /, '') ?? null
    const isExpected = kind === 'refused' || refused === why || isEmpty(file, why ?? '')
    return { ...base, refused: why, met: why !== null && isExpected }
  }
  const reference = referenceOf(local, readFileSync(local), file)
  if (typeof reference === 'string') return { ...base, skipped: reference, met: true }
  const notes = answer.data?.notes ?? []
  if (file.also) reference.also = `${reference.also ?? ''}\n${file.also}`
  const text = answer.text.replace(/\n\[[^\n]*\]$/, '')
  // pdftotext sometimes joins a raised figure to the word before it
  const ways = [text, ...(kind === 'pdf' ? [text.replace(/\^(?=[-+−]?\p{N})/gu, '')] : [])]
  const { words, missing, wrong } = ways
    .map((way) => compareWords(way, reference, notes))
    .sort((a, b) => a.wrong.length - b.wrong.length || a.missing.length - b.missing.length)[0]
  const share = words === 0 ? 0 : missing.length / words
  const met = share <= (file.most ?? mostMissing) && wrong.length <= (file.wrong ?? 0)
  return {
    ...base,
    words,
    missing: missing.length,
    wrong: wrong.length,
    notes,
    met,
    lacking: missing.slice(0, 30),
    extra: wrong.slice(0, 30),
  }
}

/** Returns whether both the program and the reference have no words. */
function isEmpty(file, why) {
  if (!/^(?:it contains no text|no text: )/.test(why)) return false
  const reference = referenceOf(file.local, readFileSync(file.local), file)
  return typeof reference !== 'string' && wordsOf(reference.text).length === 0 && !reference.oneOf?.length
}

function report(all) {
  const measured = all.filter(({ words }) => words !== undefined)
  for (const row of all.filter(({ met }) => !met)) {
    const what =
      row.refused !== undefined
        ? `refused: ${row.refused}`
        : `${row.missing} of ${row.words} missing, ${row.wrong} wrong`
    process.stdout.write(`MISSED ${row.path}: ${what}\n`)
    if (row.lacking?.length) process.stdout.write(`  missing: ${row.lacking.join(' ')}\n`)
    if (row.extra?.length) process.stdout.write(`  wrong: ${row.extra.join(' ')}\n`)
  }
  const sum = (key) => measured.reduce((total, row) => total + row[key], 0)
  const refused = all.filter((row) => row.refused !== undefined).length
  process.stdout.write(
    `${all.length} documents: ${measured.length} compared, ${refused} refused by name, ${all.filter(({ met }) => !met).length} missed; ` +
      `${sum('missing')} of ${sum('words')} words missing, ${sum('wrong')} wrong\n`,
  )
  if (wanted.length === 0 && all.length === files.length) {
    const stored = all.map(({ lacking: _, extra: __, ...row }) => row)
    writeFileSync(
      join(here, 'documents.json'),
      `[\n${stored.map((row) => `  ${JSON.stringify(row)}`).join(',\n')}\n]\n`,
    )
  }
  if (all.some(({ met }) => !met)) process.exitCode = 1
}
