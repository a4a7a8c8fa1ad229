import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { HandrailProblem } from '../../../client/problem.ts'
import { asProblem, fieldError } from '../../lib/problem.ts'

/**
 * State of a form that is used while signed out: ignores a submit while one is running, and focuses the first
 * field with an error.
 */
export function useAuthForm(send: (fields: Record<string, string>) => Promise<void>) {
  const queryClient = useQueryClient()
  const [problem, setProblem] = useState<HandrailProblem>()
  const [fieldNames, setFieldNames] = useState<string[]>([])
  const [isSending, setSending] = useState(false)

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (isSending) return
    const form = event.currentTarget
    const fields = Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]))
    setFieldNames(Object.keys(fields))
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
  const isShownInFields =
    problem !== undefined &&
    problem.errors.length > 0 &&
    problem.errors.every(({ path }) => fieldNames.includes(path))
  return {
    submit: (event: FormEvent<HTMLFormElement>) => void submit(event),
    problem,
    /** Undefined if the fields show all errors. */
    formProblem: isShownInFields ? undefined : problem,
    isSending,
    errorAt,
  }
}
