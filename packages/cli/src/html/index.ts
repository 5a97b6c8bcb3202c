export { chooseShownFrames, SHOWN_FRAMES, SHOWN_PAIRS, shownFramesLimit } from './choose-shown-frames.ts';
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
