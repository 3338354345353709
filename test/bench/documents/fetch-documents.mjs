// Documents of public repositories in a cache directory: one file each, checked against its SHA-256.
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { extname, join } from 'node:path'

const limitMs = 20_000
const parallel = 6

/** Returns the files with their local paths, and the paths that are not there, by reason. */
export async function fetchDocuments(files, repositories, cache) {
  mkdirSync(cache, { recursive: true })
  const fetched = []
  const skipped = new Map()
  let unreachable
  const queue = files.map((file, i) => ({ file, i }))
  const take = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const { file, i } = next
      const local = join(cache, `${file.sha256}${extname(file.path).toLowerCase()}`)
      let why = isStored(local, file.sha256) ? undefined : unreachable
      if (why === undefined && !isStored(local, file.sha256)) why = await download(file, repositories, local)
      if (why === undefined) fetched[i] = { ...file, local }
      else skipped.set(why, [...(skipped.get(why) ?? []), file.path])
      if (why?.startsWith('the network')) unreachable = why
    }
  }
  await Promise.all(Array.from({ length: parallel }, take))
  return { fetched: fetched.filter((file) => file !== undefined), skipped }
}

const hashOf = (bytes) => createHash('sha256').update(bytes).digest('hex')

function isStored(local, sha256) {
  try {
    return hashOf(readFileSync(local)) === sha256
  } catch {
    return false
  }
}

/** Returns why there is no file; undefined if it is stored. */
async function download({ repository, path, sha256 }, repositories, local) {
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
  const bytes = Buffer.from(await response.arrayBuffer())
  if (hashOf(bytes) !== sha256) return 'its SHA-256 is another one'
  const temporary = `${local}.${process.pid}`
  writeFileSync(temporary, bytes)
  renameSync(temporary, local)
  return undefined
}
