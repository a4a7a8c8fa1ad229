import { useMutation } from '@tanstack/react-query'
import { useId } from 'react'
import { limits } from '../../../contract/limits.ts'
import { asProblem } from '../../lib/problem.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { ProblemStrip } from '../../ui/strip.tsx'
import { TextField } from '../../ui/text-field.tsx'

type Props = {
  title: string
  about: string
  confirm: string
  onPassword: (password: string) => Promise<unknown>
  onClose: () => void
}

/** Your password once more: an open browser is not enough. */
export function PasswordDialog({ title, about, confirm, onPassword, onClose }: Props) {
  const formId = useId()
  const doing = useMutation({ mutationFn: onPassword, onSuccess: onClose })
  const problem = doing.error && asProblem(doing.error)
  return (
    <Dialog
      title={title}
      about={about}
      onClose={onClose}
      footer={
        <>
          <button type="button" className="btn" onClick={onClose}>
            Leave it
          </button>
          <button type="submit" form={formId} className="btn primary" aria-disabled={doing.isPending}>
            {confirm}
          </button>
        </>
      }
    >
      <form
        id={formId}
        onSubmit={(event) => {
          event.preventDefault()
          if (!doing.isPending) doing.mutate(String(new FormData(event.currentTarget).get('password')))
        }}
      >
        {problem && problem.errors.length === 0 && (
          <ProblemStrip what="Nothing was changed." problem={problem} />
        )}
        <TextField
          label="Your password"
          name="password"
          type="password"
          autoComplete="current-password"
          maxLength={limits.passwordMax}
          error={problem?.errors.find(({ path }) => path === 'password')?.message}
          required
        />
      </form>
    </Dialog>
  )
}
