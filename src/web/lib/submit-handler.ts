import type { FormEvent } from 'react'

/** For `onSubmit` of a form that starts a mutation. Ignores a submit while the previous one is pending. */
export function submitHandler(
  mutation: { isPending: boolean },
  submit: (fields: FormData, form: HTMLFormElement) => void,
) {
  return (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!mutation.isPending) submit(new FormData(event.currentTarget), event.currentTarget)
  }
}
