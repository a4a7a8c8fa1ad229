import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../lib/api.ts'
import { EntryFrame } from '../../ui/entry-frame.tsx'
import { NewPasswordField } from '../../ui/new-password-field.tsx'
import { ProblemStrip } from '../../ui/strip.tsx'
import entryStyles from './entry.module.css'
import { useEntry } from './use-entry.ts'
import { useTokenFromLink } from './use-token-from-link.ts'

export function PasswordResetPage() {
  const token = useTokenFromLink()
  const [isDone, setDone] = useState(false)
  const entry = useEntry(async ({ password = '' }) => {
    await api.resetPassword({ token, password })
    setDone(true)
  })

  if (token === '') {
    return (
      <EntryFrame
        title="This link is incomplete"
        lede="Copy the complete link from the email, or request a new one."
      >
        <p className={entryStyles.otherWay}>
          <Link to="/forgot-password">Request a new link</Link>
        </p>
      </EntryFrame>
    )
  }
  if (isDone) {
    return (
      <EntryFrame
        title="Your password was changed"
        lede="You're signed out on all devices. Sign in with your new password."
      >
        <p className={entryStyles.otherWay}>
          <Link to="/sign-in">Sign in</Link>
        </p>
      </EntryFrame>
    )
  }
  return (
    <EntryFrame title="Choose a new password" lede="This signs you out on all devices.">
      <form onSubmit={entry.submit}>
        {entry.problem && entry.problem.errors.length === 0 && (
          <ProblemStrip what="Your password wasn't changed." problem={entry.problem} />
        )}
        <NewPasswordField label="New password" error={entry.errorAt('password')} autoFocus />
        <button className="btn primary" type="submit" aria-disabled={entry.sending}>
          {entry.sending ? 'Changing…' : 'Change password'}
        </button>
      </form>
      {entry.problem?.status === 403 && (
        <p className={entryStyles.otherWay}>
          <Link to="/forgot-password">Request a new link</Link>
        </p>
      )}
    </EntryFrame>
  )
}
