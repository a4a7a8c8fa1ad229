import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { HandrailProblem } from '../../../client/problem.ts'
import { asProblem, fieldError } from '../../lib/problem.ts'

/** State of a sign-in, set-up or invitation form: sends once and shows errors per field. */
export function useAuthForm(send: (fields: Record<string, string>) => Promise<void>) {
  const queryClient = useQueryClient()
  const [problem, setProblem] = useState<HandrailProblem>()
  const [isSending, setSending] = useState(false)

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (isSending) return
    const form = event.currentTarget
    const fields = Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]))
    setSending(true)
    setProblem(undefined)
    try {
      // Drop cached data of a previously signed-in person.
      queryClient.removeQueries({ type: 'inactive' })
      await send(fields)
    } catch (thrown) {
      setProblem(asProblem(thrown))
      requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid=true]')?.focus())
    } finally {
      setSending(false)
    }
  }

  const errorAt = (field: string) => fieldError(problem, field)
  return { submit: (event: FormEvent<HTMLFormElement>) => void submit(event), problem, isSending, errorAt }
}
