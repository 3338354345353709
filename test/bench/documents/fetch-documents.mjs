// Public documents in a cache directory: one file each, checked against its SHA-256.
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { packageOf, readPackage } from './fetch-packages.mjs'

const limitMs = 20_000
const parallel = 6

/** Returns the files with their local paths, and the missing paths by reason. */
export async function fetchDocuments(files, repositories, cache) {
  mkdirSync(cache, { recursive: true })
  const located = files.map((file) => ({
    ...file,
    local: join(cache, `${file.sha256}${extname(file.path).toLowerCase()}`),
  }))
  const absent = located.filter(({ local, sha256 }) => !isStored(local, sha256))
  const reasons = new Map()
  takePackages(
    absent.filter(({ repository }) => packageOf(repository)),
    reasons,
  )
  await downloadAll(
    absent.filter(({ repository }) => !packageOf(repository)),
    repositories,
    reasons,
  )
  const skipped = new Map()
  for (const [{ path }, why] of reasons) skipped.set(why, [...(skipped.get(why) ?? []), path])
  return { fetched: located.filter((file) => !reasons.has(file)), skipped }
}

/** Downloads the packages one after the other, each once for all of its documents. */
function takePackages(files, reasons) {
  for (const source of new Set(files.map(({ repository }) => repository))) {
    const own = new Map(
      files.filter(({ repository }) => repository === source).map((file) => [file.path, file]),
    )
    const why = readPackage(packageOf(source), own.keys(), (path, bytes) => {
      const problem = bytes === undefined ? `not in ${source}` : store(own.get(path), bytes)
      if (problem !== undefined) reasons.set(own.get(path), problem)
    })
    if (why !== undefined) for (const file of own.values()) reasons.set(file, why)
  }
}

async function downloadAll(files, repositories, reasons) {
  let unreachable
  const queue = [...files]
  const take = async () => {
    for (let file = queue.shift(); file; file = queue.shift()) {
      const why = unreachable ?? (await download(file, repositories))
      if (why !== undefined) reasons.set(file, why)
      if (why?.startsWith('the network')) unreachable = why
    }
  }
  await Promise.all(Array.from({ length: parallel }, take))
}

const hashOf = (bytes) => createHash('sha256').update(bytes).digest('hex')

function isStored(local, sha256) {
  try {
    return hashOf(readFileSync(local)) === sha256
  } catch {
    return false
  }
}

/** Returns why the file is missing, or undefined if it is stored. */
async function download(file, repositories) {
  const { repository, path } = file
  const commit = repositories[repository]
  const name = path.split('/').map(encodeURIComponent).join('/')
  const url = `https://raw.githubusercontent.com/${repository}/${commit}/${name}`
  let response
  try {
    response = await fetch(url, { signal: AbortSignal.timeout(limitMs) })
  } catch (error) {
    return `the network is closed (${error.cause?.code ?? error.message})`
  }
  if (!response.ok) return `the server answered ${response.status}`
  return store(file, Buffer.from(await response.arrayBuffer()))
}

/** Returns why the file is not stored, or undefined on success. */
function store({ local, sha256 }, bytes) {
  if (hashOf(bytes) !== sha256) return 'its SHA-256 is another one'
  const temporary = `${local}.${process.pid}`
  writeFileSync(temporary, bytes)
  renameSync(temporary, local)
  return undefined
}
