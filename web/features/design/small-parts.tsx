import { Table } from '@mantine/core'
import { AvatarPicture } from '../../ui/avatar-picture.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { FactTable } from '../../ui/fact-table.tsx'
import { CountNumber, Size, TimeAgo } from '../../ui/facts.tsx'
import { Mark } from '../../ui/mark.tsx'
import { RowTable } from '../../ui/row-table.tsx'
import { ScanMark } from '../../ui/scan-mark.tsx'
import { Section } from '../../ui/section.tsx'
import { Sha } from '../../ui/sha.tsx'
import { StorageBar } from '../../ui/storage-bar.tsx'
import { TokenName } from '../../ui/token-name.tsx'
import { endless, Row, Sample, unbroken } from './sample.tsx'

const sha = '5f2a'.repeat(10)

/** Facts, marks and rows. */
export function SmallParts() {
  return (
    <>
      <Section title="Marks and facts">
        <Row>
          <Sample state="mark">
            <Mark>plain</Mark>
          </Sample>
          {['accent', 'safe', 'caution', 'danger', 'pending', 'gray'].map((color) => (
            <Sample key={color} state={color}>
              <Mark color={color} title={`Marked ${color}`}>
                {color}
              </Mark>
            </Sample>
          ))}
          {(['unsafe', 'suspicious', 'failed'] as const).map((status) => (
            <Sample key={status} state={`scan: ${status}`}>
              <ScanMark status={status} />
            </Sample>
          ))}
        </Row>
        <Sample state="mark, long">
          <Mark>{unbroken}</Mark>
        </Sample>
        <Row>
          <Sample state="size">
            <Size bytes={4_370_000_000} />
          </Sample>
          <Sample state="size, nothing">
            <Size bytes={0} />
          </Sample>
          <Sample state="count">
            <CountNumber value={12_345_678} />
          </Sample>
          <Sample state="time">
            <TimeAgo time="2024-02-29T12:00:00Z" />
          </Sample>
          <Sample state="hash">
            <Sha sha={sha} label="Copy the hash" />
          </Sample>
          <Sample state="copy">
            <CopyButton text="copied" label="Copy a word" />
          </Sample>
          <Sample state="avatar">
            <AvatarPicture ns="design" />
          </Sample>
          <Sample state="token">
            <TokenName name="laptop" prefix="hf_asl_1a2b" />
          </Sample>
          <Sample state="token of a token">
            <TokenName name="job" prefix="hf_asl_3c4d" depth={1} parent="laptop" />
          </Sample>
        </Row>
      </Section>

      <Section title="Tables of facts and rows" note={endless} aside={<Mark color="safe">aside</Mark>}>
        <FactTable
          rows={[
            ['Licence', 'apache-2.0'],
            ['Size', <Size key="size" bytes={4_370_000_000} />],
            ['Unbroken', unbroken],
            ['Long', endless],
          ]}
        />
        <RowTable columns={['Name', ['Last used', 160]]} hasActions>
          {['laptop', unbroken].map((name) => (
            <Table.Tr key={name}>
              <Table.Td data-label="Name" style={{ overflowWrap: 'anywhere' }}>
                {name}
              </Table.Td>
              <Table.Td data-label="Last used">
                <TimeAgo time="2024-02-29T12:00:00Z" />
              </Table.Td>
              <Table.Td>
                <CopyButton text={name} label={`Copy ${name.slice(0, 12)}`} />
              </Table.Td>
            </Table.Tr>
          ))}
        </RowTable>
      </Section>

      <Section title="Storage" danger>
        <Sample state="no quota">
          <StorageBar of="no-quota" usedBytes={12_000_000_000} />
        </Sample>
        <Sample state="nothing stored">
          <StorageBar of="empty" usedBytes={0} quotaBytes={50_000_000_000} />
        </Sample>
        <Sample state="waiting for a commit">
          <StorageBar of="some" usedBytes={2e10} pendingBytes={5e9} quotaBytes={5e10} />
        </Sample>
        <Sample state="nearly full">
          <StorageBar of="full" usedBytes={4.9e10} quotaBytes={5e10} />
        </Sample>
      </Section>
    </>
  )
}
