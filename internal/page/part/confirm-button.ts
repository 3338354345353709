// Button for an action that cannot be undone: it asks for confirmation in place, and resets after a while.
import { h } from 'preact'
import { useEffect, useState } from 'preact/hooks'

const forgetMs = 5_000

interface ConfirmProps {
  label: string
  /** Label of the confirmation. */
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
