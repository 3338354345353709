// A preloaded module that runs the program from its sources and writes which functions ran in which files,
// for tests of walks and of loading.
import { renameSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import inspector from 'node:inspector'
import { register } from 'node:module'
import { fileURLToPath } from 'node:url'
import { isMainThread } from 'node:worker_threads'

const root = new URL('../../', import.meta.url).href

/** Loads TypeScript through esbuild and text files as strings, in the thread of the loader. */
export async function load(url, context, next) {
  if (!url.startsWith(root) || url.includes('/node_modules/')) return next(url, context)
  if (/\.(md|lua)$/.test(url)) {
    const source = `export default ${JSON.stringify(await readFile(fileURLToPath(url), 'utf8'))}`
    return { format: 'module', source, shortCircuit: true }
  }
  if (!url.endsWith('.ts')) return next(url, context)
  const { transform } = await import('esbuild')
  const code = await readFile(fileURLToPath(url), 'utf8')
  const { code: source } = await transform(code, { loader: 'ts', format: 'esm', target: 'node20' })
  return { format: 'module', source, shortCircuit: true }
}

if (isMainThread && process.env.ANODE_WALK) {
  register(import.meta.url)
  const session = new inspector.Session()
  session.connect()
  session.post('Profiler.enable')
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  /**
   * Writes the functions that ran since the last call, by file. The file appears when its content is
   * complete.
   */
  const write = () =>
    session.post('Profiler.takePreciseCoverage', (_, { result }) => {
      const files = result
        .filter(({ url, functions }) => url.startsWith(root) && functions.some(ranInside))
        .map(({ url, functions }) => [url.slice(root.length), functions.filter(ranInside).map(nameOf)])
      writeFileSync(`${process.env.ANODE_WALK}.part`, JSON.stringify(Object.fromEntries(files)))
      renameSync(`${process.env.ANODE_WALK}.part`, process.env.ANODE_WALK)
    })
  process.on('SIGUSR2', write)
  process.on('exit', write)
}

/** Returns whether a function ran other than the module itself. */
function ranInside({ functionName, ranges: [range] }) {
  return range.count > 0 && !(functionName === '' && range.startOffset === 0)
}

const nameOf = ({ functionName }) => functionName || '(anonymous)'
