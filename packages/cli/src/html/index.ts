export { chooseShownFrames, SHOWN_FRAMES, shownFramesLimit } from './choose-shown-frames.ts';
export { renderHtmlReport } from './render-html-report.ts';
export type {
  ReportData,
  ReportFact,
  ReportFrame,
  ReportMesh,
  ReportMorphs,
  ReportPose,
  ReportRegionPair,
  ReportRegionRef,
  ReportRegions,
  ReportShownFrame,
  ReportSkin,
  ReportState,
} from './report-data.ts';
export { SHOWN_PAIRS, shownContacts } from './shown-contacts.ts';
