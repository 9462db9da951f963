//! PDFs: as a document that the model's side reads, or as images of some pages.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use aqueduct_os::environment::Environment;
use aqueduct_os::private_dir::{make_private, make_private_among_others};
use aqueduct_os::process_group::GroupChild;
use aqueduct_wire::block::{Content, ContentBlock, MediaBlock, TextBlock};
use aqueduct_wire::media::{Base64Source, MediaSource};
use aqueduct_wire::tool::{PageImage, ReadParts, ReadPartsFile, ReadPdf, ReadPdfFile, ReadResult};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use tokio::io::AsyncReadExt as _;
use tokio::process::Command;

use super::super::file_call::{FileCall, output};
use super::{CallOutput, ToolFailure, parsed};
use crate::file::{FileError, FileLocation, open, read_whole};

/// The largest PDF that is sent as a whole. A request may have 32 MB, and base64 makes four bytes of three.
const SIZE_LIMIT: u64 = 20 << 20;

/// How many pages the model's side takes in one document.
const PAGES_LIMIT: usize = 100;

/// How many pages are rendered in one call.
const RENDERED_LIMIT: u32 = 20;

/// Dots per inch: enough for small print, and well under the size at which images are scaled down.
const RESOLUTION: &str = "100";

/// The program that renders.
const RENDERER: &str = "pdftoppm";

pub(super) fn read(place: &FileLocation, given: &str) -> Result<CallOutput, ToolFailure> {
    let (bytes, _) = read_whole(&place.real, SIZE_LIMIT).map_err(|error| match error {
        FileError::TooLarge { size, limit, .. } => ToolFailure::Failed(format!(
            "{given} has {size} bytes; a PDF of up to {limit} can be read as a whole. Read some of it with pages."
        )),
        error => error.into(),
    })?;
    must_be_pdf(&bytes, given)?;
    let pages = count_pages(&bytes);
    if pages > PAGES_LIMIT {
        return Err(ToolFailure::Failed(format!(
            "{given} has {pages} pages; up to {PAGES_LIMIT} can be read as a whole. Read some of it with pages, \
             such as \"1-{RENDERED_LIMIT}\"."
        )));
    }
    let data = STANDARD.encode(&bytes);
    let mut source = Base64Source::new(data.clone());
    source.media_type = Some("application/pdf".into());
    let content = Content::Blocks(vec![
        ContentBlock::Text(TextBlock::new(format!("{given}, a PDF of {} bytes:", bytes.len()))),
        ContentBlock::Document(Box::new(MediaBlock::new(MediaSource::Base64(source)))),
    ]);
    let mut file = ReadPdfFile::new(given.to_owned());
    file.base64 = Some(data.into());
    file.original_size = Some(bytes.len().into());
    output(content, &ReadResult::Pdf(ReadPdf::new(file)))
}

fn must_be_pdf(bytes: &[u8], given: &str) -> Result<(), ToolFailure> {
    // Readers take a PDF whose header comes a little late.
    let beginning = &bytes[..bytes.len().min(1024)];
    match memchr::memmem::find(beginning, b"%PDF-") {
        Some(_) => Ok(()),
        None => Err(ToolFailure::Failed(format!(
            "{given} has the extension of a PDF, but its contents are not a PDF. Check its type with `file`."
        ))),
    }
}

/// How many page objects are uncompressed. In newer files they may be compressed: then this is fewer, and the
/// API decides.
fn count_pages(bytes: &[u8]) -> usize {
    let is_page = |at: usize| {
        let rest = bytes[at + b"/Type".len()..].trim_ascii_start();
        rest.strip_prefix(b"/Page").is_some_and(|rest| !rest.first().is_some_and(u8::is_ascii_alphanumeric))
    };
    memchr::memmem::find_iter(bytes, b"/Type").filter(|at| is_page(*at)).count()
}

/// The first and the last page of `3` or `1-5`.
fn range(pages: &str) -> Result<(u32, u32), ToolFailure> {
    let number = |text: &str| text.trim().parse::<u32>().ok().filter(|number| *number > 0);
    let (first, last) = pages.split_once('-').unwrap_or((pages, pages));
    match (number(first), number(last)) {
        (Some(first), Some(last)) if first <= last && last - first < RENDERED_LIMIT => Ok((first, last)),
        _ => Err(ToolFailure::Rejected(format!(
            "\"{pages}\" is not a valid page range. Pass one page (\"3\") or one range (\"1-5\") of at most \
             {RENDERED_LIMIT} pages, counted from 1."
        ))),
    }
}

/// Renders pages with a program of the user's.
///
/// They are put into a folder of their own in `spool`, where hosts find them.
pub(super) async fn read_pages(
    environment: &Environment,
    spool: &Path,
    call: FileCall,
    pages: &str,
) -> Result<CallOutput, ToolFailure> {
    let (first, last) = range(pages)?;
    let given = parsed(&call)?.file_path.to_string();
    let place = call.locate(&given)?;
    place.must_exist()?;
    let size = open(&place.real)?.metadata.len();
    let program = find_program(environment.variable("PATH").unwrap_or_default()).ok_or_else(|| {
        ToolFailure::Failed(format!(
            "Pages are rendered by {RENDERER}, which is not installed. Install poppler-utils (poppler on \
             macOS), or leave out pages to read the whole PDF."
        ))
    })?;
    let folder = spool.join(format!("pdf-{:016x}", fastrand::u64(..)));
    let made = make_private_among_others(spool).and_then(|()| make_private(&folder));
    made.map_err(|error| FileError::new("make", &folder, error))?;
    render(environment, &call, &program, &place.real, &folder, (first, last)).await?;
    call.work(move |_| answer(&given, size, first, &folder)).await
}

fn find_program(path: &str) -> Option<PathBuf> {
    std::env::split_paths(path).map(|folder| folder.join(RENDERER)).find(|program| {
        program.metadata().is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
    })
}

async fn render(
    environment: &Environment,
    call: &FileCall,
    program: &Path,
    pdf: &Path,
    folder: &Path,
    (first, last): (u32, u32),
) -> Result<(), ToolFailure> {
    let mut command = Command::new(program);
    command
        .args(["-jpeg", "-r", RESOLUTION, "-f", &first.to_string(), "-l", &last.to_string()])
        .arg(pdf)
        .arg(folder.join("page"))
        .env_clear()
        .envs(environment.variables.iter().map(|(name, value)| (name, value)))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .process_group(0)
        .kill_on_drop(true);
    let failed = |error| FileError::new("run", program, error);
    let mut renderer = GroupChild::new(command.spawn().map_err(failed)?);
    let stderr = renderer.child().stderr.take();
    let error_output = async {
        let mut error_output = Vec::new();
        if let Some(mut stderr) = stderr {
            stderr.read_to_end(&mut error_output).await?;
        }
        Ok(error_output)
    };
    let (status, error_output) = tokio::select! {
        done = async { tokio::try_join!(renderer.wait(), error_output) } => done.map_err(failed)?,
        () = call.cancel.cancelled() => return Err(ToolFailure::Interrupted("Interrupted while the pages were \
            being rendered.".to_owned())),
    };
    if status.success() {
        return Ok(());
    }
    let error_output = String::from_utf8_lossy(&error_output);
    Err(ToolFailure::Failed(format!(
        "{RENDERER} could not render the pages ({status}): {}",
        error_output.trim()
    )))
}

fn answer(given: &str, size: u64, first: u32, folder: &Path) -> Result<CallOutput, ToolFailure> {
    let failed = |error| FileError::new("read", folder, error);
    let mut paths = Vec::new();
    for entry in folder.read_dir().map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.extension() == Some(OsStr::new("jpg")) {
            paths.push(path);
        }
    }
    // The numbers in the names have equal lengths.
    paths.sort();
    if paths.is_empty() {
        return Err(ToolFailure::Failed(format!("{given} has no page {first}.")));
    }
    let mut blocks = Vec::new();
    let mut pages = Vec::new();
    for (number, path) in (first..).zip(&paths) {
        let data = STANDARD.encode(fs::read(path).map_err(failed)?);
        blocks.push(ContentBlock::Text(TextBlock::new(format!("{given}, page {number}:"))));
        blocks.push(aqueduct_model::image::block(data.clone(), "image/jpeg"));
        let mut page = PageImage::new(data);
        page.media_type = Some("image/jpeg".into());
        pages.push(page);
    }
    let mut file = ReadPartsFile::new(given.to_owned());
    file.original_size = Some(size.into());
    file.count = Some(paths.len().into());
    file.output_dir = Some(folder.display().to_string().into());
    let mut parts = ReadParts::new(file);
    parts.first_page = Some(first.into());
    parts.pages = Some(pages);
    output(Content::Blocks(blocks), &ReadResult::Parts(parts))
}
