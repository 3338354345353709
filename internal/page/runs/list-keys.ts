// Keys of the lists: j and k move from line to line; Enter opens a line like any link.
import { useEffect } from 'preact/hooks'
import { isTypedInto } from '../key-target.ts'

const steps: Readonly<Record<string, number>> = { j: 1, k: -1 }

export function useListKeys(): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const step = steps[event.key]
      if (step === undefined || isTypedInto(event)) return
      const links = [...document.querySelectorAll<HTMLElement>('.rows .what a')]
      const at = links.indexOf(document.activeElement as HTMLElement)
      const next = at < 0 ? 0 : Math.min(Math.max(at + step, 0), links.length - 1)
      links[next]?.focus()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
}
