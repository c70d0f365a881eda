//! placeholder
use super::Drawing;
use crate::html::Html;
use crate::model::SourceLink;
pub(crate) fn links(_: &[SourceLink], _: &Drawing<'_>) -> Html {
    Html::default()
}
