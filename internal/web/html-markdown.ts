// Makes Markdown of an HTML page in a thread of its own, which is ended when it takes too much.
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'

interface HtmlMarkdown {
  /** Empty where the page has none. */
  title: string
  /** When it was published, as the page writes it; empty where it does not. */
  published: string
  text: string
}

const maxMs = 10_000

/** Undefined when it takes too long, too much memory, or breaks the parsers. Rejects when it is aborted. */
export async function convertHtml(
  html: string,
  url: string,
  signal: AbortSignal,
  ms: number = maxMs,
): Promise<HtmlMarkdown | undefined> {
  signal.throwIfAborted()
  const thread = new Worker(threadFile(), {
    workerData: { html, url },
    resourceLimits: { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 64, stackSizeMb: 4 },
    stdout: true,
    stderr: true,
    env: {},
  })
  let timer: NodeJS.Timeout | undefined
  try {
    const made = await new Promise<HtmlMarkdown | undefined>((resolve) => {
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
    return made
  } finally {
    clearTimeout(timer)
    await thread.terminate()
  }
}

/** Beside the running bundle first, then beside this file. */
function threadFile(): string {
  const here = dirname(fileURLToPath(import.meta.url))
  const built = [join(here, 'html-thread.cjs'), join(here, '..', 'html-thread.cjs')]
  return built.find((file) => existsSync(file)) ?? join(here, 'html-thread.mjs')
}
