// A button for what cannot be taken back: it asks once more in its place, and forgets that later.
import { h } from 'preact'
import { useEffect, useState } from 'preact/hooks'

const forgetMs = 5_000

interface ConfirmProps {
  label: string
  /** What the second press does. */
  sure: string
  act(): void
  isPlain?: boolean
}

export function ConfirmButton({ label, sure, act, isPlain = false }: ConfirmProps) {
  const [isAsking, setAsking] = useState(false)
  useEffect(() => {
    if (!isAsking) return
    const timer = setTimeout(() => setAsking(false), forgetMs)
    return () => clearTimeout(timer)
  }, [isAsking])
  const press = () => {
    if (isAsking) act()
    setAsking(!isAsking)
  }
  const look = `danger${isPlain ? ' plain' : ''}${isAsking ? ' sure' : ''}`
  return h('button', { type: 'button', class: look, onClick: press }, isAsking ? sure : label)
}
