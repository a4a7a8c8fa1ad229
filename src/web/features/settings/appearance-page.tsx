import { setPreference, usePreference } from '../../lib/preferences.ts'
import { chooseTheme } from '../../lib/theme.ts'
import { ChoiceGroup } from '../../ui/choice-group.tsx'
import { PageFrame } from '../../ui/page-frame.tsx'

const themes = [
  ['system', 'As the system'],
  ['light', 'Light'],
  ['dark', 'Dark'],
] as const

const densities = [
  ['comfortable', 'Comfortable', 'Two lines a task.'],
  ['compact', 'Compact', 'One line a task, more of them in sight.'],
] as const

const undoTimes = [
  ['0', 'Send at once', 'No way back.'],
  ['5', '5 seconds'],
  ['10', '10 seconds'],
] as const

export function AppearancePage() {
  return (
    <PageFrame title="Appearance" lede="For you, in this browser. What you choose holds at once.">
      <ChoiceGroup label="Theme" value={usePreference('theme')} options={themes} onChoose={chooseTheme} />
      <ChoiceGroup
        label="Density of the list"
        value={usePreference('density')}
        options={densities}
        onChoose={(density) => setPreference('density', density)}
      />
      <ChoiceGroup
        label="Time to undo an answer"
        help="So long an answer waits in this browser before it is sent. Z takes it back."
        value={usePreference('undoSeconds')}
        options={undoTimes}
        onChoose={(seconds) => setPreference('undoSeconds', seconds)}
      />
    </PageFrame>
  )
}
