//! Trajectories in the text format of the Jülich archive and as NumPy archives.

use proptest::prelude::*;
use std::io::{Cursor, Read};
use thalweg_io::{
    Place, ReadReason, TrajectoryNpz, TrajectoryPoint, TrajectoryText, TrajectoryUnit, read_trajectories,
};

const ARCHIVE: &str = "# description: UNI_CORR_500_01\n# framerate: 25.00\n#geometry: geometry.xml\n\n\
    # PersID\tFrame\tX\tY\tZ\n1\t98\t4.6012\t1.8909\t1.7600\n2 98 1 2\n1\t99\t4.5359\t1.8976\t1.7600\n";

#[test]
fn the_heads_of_the_archive_are_understood() {
    let read = read_trajectories("a.txt", ARCHIVE.as_bytes()).unwrap();
    assert_eq!((read.frame_rate, read.unit), (Some(25.0), None));
    let point = |id, frame, x, y, z| TrajectoryPoint { id, frame, x, y, z };
    assert_eq!(
        read.points,
        [
            point(1, 98, 4.6012, 1.8909, 1.76),
            point(2, 98, 1.0, 2.0, 0.0),
            point(1, 99, 4.5359, 1.8976, 1.76)
        ]
    );
    let centimetres = read_trajectories(
        "a.txt",
        b"# framerate:16 fps\n# id frame x/cm y/cm z/cm\n1 0 150 -20 170\n",
    );
    let centimetres = centimetres.unwrap();
    assert_eq!(centimetres.unit, Some(TrajectoryUnit::Centimetres));
    assert_eq!(centimetres.frame_rate, Some(16.0));
    assert_eq!(centimetres.points, [point(1, 0, 1.5, -0.2, 1.7)]);
    let bare = read_trajectories("a.txt", b"1 0 0.5 0.5").unwrap();
    assert_eq!((bare.frame_rate, bare.unit), (None, None));
}

#[test]
fn errors_name_the_line_and_the_value() {
    let cases = [
        ("", "a.txt: the file is empty"),
        ("# framerate: 25\n", "a.txt: the file is empty"),
        (
            "1 2 3\n",
            "a.txt, line 1: the line has 3 columns, but 4 are expected (id, frame, x, y and perhaps z)",
        ),
        (
            "1 1 0 0\n-1 2 3 4\n",
            "a.txt, line 2, column 1: the id is '-1', but it must be a whole number from 0 to 4294967295",
        ),
        (
            "1 4294967296 3 4\n",
            "a.txt, line 1, column 2: the frame is '4294967296', but it must be a whole number from 0 to 4294967295",
        ),
        (
            "1 1 nan 4\n",
            "a.txt, line 1, column 3: x is 'nan', but it must be a finite number",
        ),
        (
            "1 1 0 1e999\n",
            "a.txt, line 1, column 4: y is '1e999', but it must be a finite number",
        ),
        (
            "1 1 0 0 z\n",
            "a.txt, line 1, column 5: z is 'z', but it must be a finite number",
        ),
        (
            "# framerate: 0\n1 1 0 0\n",
            "a.txt, line 1: the frame rate is '0', but it must be a finite number above 0",
        ),
        (
            "1 1 0 0\n\n2 1 0 0\n1 1 5 5\n",
            "a.txt, line 4: person 1 is in frame 1 a second time, after line 1",
        ),
    ];
    for (text, want) in cases {
        let error = read_trajectories("a.txt", text.as_bytes()).unwrap_err();
        assert_eq!(error.to_string(), want);
    }
    let error = read_trajectories("a.txt", b"1 1 0 0\n\xff").unwrap_err();
    assert!(matches!(error.reason(), ReadReason::NotText(0xff)));
    assert_eq!(error.place(), Place::Byte(8));
}

fn written(points: &[TrajectoryPoint], frame_rate: f64) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut text = TrajectoryText::new(&mut bytes, frame_rate).unwrap();
    for point in points {
        text.push(point).unwrap();
    }
    bytes
}

proptest! {
    #[test]
    fn what_is_written_is_read_again(
        places in prop::collection::btree_map((0u32..20, 0u32..20), (-1e5f64..1e5, -1e5f64..1e5, 0u8..4), 1..60),
        frame_rate in 0.1f64..240.0,
    ) {
        let points: Vec<_> = places
            .into_iter()
            .map(|((frame, id), (x, y, z))| TrajectoryPoint { id, frame, x, y, z: f64::from(z) })
            .collect();
        let read = read_trajectories("again", &written(&points, frame_rate)).unwrap();
        prop_assert_eq!(read.frame_rate, Some(frame_rate));
        prop_assert_eq!(read.unit, Some(TrajectoryUnit::Metres));
        prop_assert_eq!(read.points.len(), points.len());
        for (read, point) in read.points.iter().zip(&points) {
            prop_assert_eq!((read.id, read.frame, read.z), (point.id, point.frame, point.z));
            prop_assert!((read.x - point.x).abs() < 0.000_051 && (read.y - point.y).abs() < 0.000_051);
        }
    }

    #[test]
    fn no_bytes_make_the_reader_panic(bytes in prop::collection::vec(prop::num::u8::ANY, 0..200)) {
        let _read = read_trajectories("any", &bytes);
    }

    #[test]
    fn no_words_make_the_reader_panic(words in prop::collection::vec("[0-9#\n\t .eE+-]{1,6}|framerate|in cm|x/m", 0..60)) {
        let _read = read_trajectories("any", words.concat().as_bytes());
    }
}

#[test]
fn the_archive_of_arrays_holds_every_column() {
    let points = [
        TrajectoryPoint {
            id: 3,
            frame: 0,
            x: 1.5,
            y: -2.25,
            z: 0.0,
        },
        TrajectoryPoint {
            id: u32::MAX,
            frame: 7,
            x: 1e-9,
            y: 4.0,
            z: 2.0,
        },
    ];
    let make = || {
        let mut npz = TrajectoryNpz::new(12.5).unwrap();
        for point in &points {
            npz.push(point).unwrap();
        }
        let mut bytes = Vec::new();
        npz.finish(&mut bytes).unwrap();
        bytes
    };
    let bytes = make();
    assert_eq!(bytes, make(), "equal runs make equal files");
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).unwrap();
    let mut column = |name: &str| {
        let mut bytes = Vec::new();
        archive.by_name(name).unwrap().read_to_end(&mut bytes).unwrap();
        bytes
    };
    let array = |bytes: Vec<u8>| npyz::NpyFile::new(Cursor::new(bytes)).unwrap();
    let ids = array(column("id.npy"));
    assert_eq!(ids.shape(), [2]);
    assert_eq!(ids.into_vec::<u32>().unwrap(), [3, u32::MAX]);
    assert_eq!(array(column("frame.npy")).into_vec::<u32>().unwrap(), [0, 7]);
    assert_eq!(array(column("x.npy")).into_vec::<f64>().unwrap(), [1.5, 1e-9]);
    assert_eq!(array(column("y.npy")).into_vec::<f64>().unwrap(), [-2.25, 4.0]);
    assert_eq!(array(column("z.npy")).into_vec::<f32>().unwrap(), [0.0, 2.0]);
    let rate = array(column("frame_rate.npy"));
    assert!(rate.shape().is_empty());
    assert_eq!(rate.into_vec::<f64>().unwrap(), [12.5]);
}
