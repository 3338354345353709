// What support modules do when a test file ends: files share a process, so a module is loaded once for many of them.

type Work = () => unknown

const pending: Work[] = []

/** `work` is called once, after the last test of the file that runs now; what was asked for last comes first. */
export function onFileEnd(work: Work): void {
  pending.push(work)
}

/** Runs all registered work, also after one piece fails. test/setup.ts calls it. */
export async function endFile(): Promise<void> {
  const errors: unknown[] = []
  for (let work = pending.pop(); work; work = pending.pop()) {
    try {
      await work()
    } catch (error) {
      errors.push(error)
    }
  }
  if (errors.length > 0) throw errors[0]
}
