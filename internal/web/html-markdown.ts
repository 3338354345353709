// The conversion of an HTML page to Markdown in a separate thread, which is ended when it exceeds its limits.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { brotliDecompressSync } from 'node:zlib'

interface HtmlMarkdown {
  /** Title of the page; empty if it has none. */
  title: string
  /** Date of publication as the page writes it; empty without a date. */
  published: string
  text: string
}

const maxMs = 10_000

/**
 * Converts an HTML page. Returns undefined if the conversion takes too long or too much memory, or if the
 * parsers fail. Rejects when it is aborted.
 */
export async function convertHtml(
  html: string,
  url: string,
  signal: AbortSignal,
  ms: number = maxMs,
): Promise<HtmlMarkdown | undefined> {
  signal.throwIfAborted()
  const { script, isCode } = threadCode()
  const thread = new Worker(script, {
    eval: isCode,
    workerData: { html, url },
    resourceLimits: { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 64, stackSizeMb: 4 },
    stdout: true,
    stderr: true,
    env: {},
  })
  let timer: NodeJS.Timeout | undefined
  try {
    const markdown = await new Promise<HtmlMarkdown | undefined>((resolve) => {
      const stop = () => resolve(undefined)
      timer = setTimeout(stop, ms)
      signal.addEventListener('abort', stop, { once: true })
      thread.once('message', resolve)
      thread.once('error', stop)
      thread.once('exit', () => {
        signal.removeEventListener('abort', stop)
        stop()
      })
    })
    signal.throwIfAborted()
    return markdown
  } finally {
    clearTimeout(timer)
    await thread.terminate()
  }
}

/**
 * Returns the code for the thread. The built program contains it in compressed form; without a build, the
 * result is the path of its file.
 */
function threadCode(): { script: string; isCode: boolean } {
  const here = dirname(fileURLToPath(import.meta.url))
  const built = [here, join(here, '..')].map((dir) => join(dir, 'html-thread.cjs.br'))
  const packed = built.find((file) => existsSync(file))
  if (packed === undefined) return { script: join(here, 'html-thread.mjs'), isCode: false }
  return { script: brotliDecompressSync(readFileSync(packed)).toString(), isCode: true }
}
