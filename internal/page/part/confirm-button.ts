// Button for an action that cannot be undone. A press asks for confirmation in the same place; without a
// second press within five seconds the button resets.
import { h } from 'preact'
import { useEffect, useState } from 'preact/hooks'

const forgetMs = 5_000

interface ConfirmProps {
  label: string
  /** Label of the button while it asks for confirmation. */
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
